// Writes the JSON documents of the command line as Python dataclasses, from their schema.
const INDENT = '    ';
const SIMPLE = { string: 'str', integer: 'int', number: 'float', boolean: 'bool', null: 'None' };

/** The module of Python that has a class for each object of a schema. */
export function dataclassesOf(schema) {
  const writer = new Writer(schema);
  const names = Object.keys(schema.definitions);
  for (const name of names) writer.define(pascal(name), schema.definitions[name]);
  return writer.module();
}

class Writer {
  #schema;
  /** Each class with its text, the classes of its fields before it. */
  #classes = new Map();
  #aliases = new Map();

  constructor(schema) {
    this.#schema = schema;
  }

  define(name, type) {
    if (this.#classes.has(name) || this.#aliases.has(name)) return name;
    if (!isObject(type)) {
      this.#aliases.set(name, '');
      this.#aliases.set(name, this.#typeOf(type, name));
      return name;
    }
    this.#classes.set(name, '');
    const text = this.#classOf(name, type);
    // Behind the classes of its fields.
    this.#classes.delete(name);
    this.#classes.set(name, text);
    return name;
  }

  #classOf(name, { description, properties, required = [] }) {
    const fields = Object.entries(properties).map(([key, type]) => {
      const isRequired = required.includes(key);
      const python = this.#typeOf(type, `${name}${pascal(key)}`);
      const what = isRequired ? python : `Optional[${python}] = None`;
      const about = type.description === undefined ? [] : [`#: ${oneLine(type.description)}`];
      return { isRequired, lines: [...about, `${snake(key)}: ${what}`] };
    });
    // A field without a value stands before those that have one.
    const sorted = [...fields.filter((f) => f.isRequired), ...fields.filter((f) => !f.isRequired)];
    const about = oneLine(description ?? `\`${name}\` of the JSON document.`);
    const lines = [`"""${about}"""`, '', ...sorted.flatMap(({ lines: own }) => own)];
    const body = lines.map((line) => (line === '' ? '' : INDENT + line)).join('\n');
    return `@dataclasses.dataclass(frozen=True)\nclass ${name}:\n${body}\n`;
  }

  #typeOf(type, name) {
    if (type.$ref !== undefined) return this.#referenced(type.$ref);
    if (type.allOf?.length === 1) return this.#typeOf(type.allOf[0], name);
    if (type.const !== undefined) return `Literal[${literal(type.const)}]`;
    if (type.enum !== undefined) return `Literal[${type.enum.map(literal).join(', ')}]`;
    if (isObject(type)) return this.define(name, type);
    if (type.type === 'array')
      return `List[${type.items === undefined ? 'Any' : this.#typeOf(type.items, name)}]`;
    if (type.type === 'object') {
      const values = type.additionalProperties;
      return `Dict[str, ${typeof values === 'object' ? this.#typeOf(values, name) : 'Any'}]`;
    }
    if (Array.isArray(type.type) && type.type.every((each) => SIMPLE[each] !== undefined))
      return `Union[${type.type.map((each) => SIMPLE[each]).join(', ')}]`;
    return SIMPLE[type.type] ?? 'Any';
  }

  #referenced(path) {
    const name = path.split('/').at(-1);
    return this.define(pascal(name), this.#schema.definitions[name]);
  }

  module() {
    const aliases = [...this.#aliases].map(([name, type]) => `${name} = ${type}\n`);
    return [
      '"""The documents of the command line as dataclasses, made from their schema."""\n',
      'import dataclasses\nfrom typing import Any, Dict, List, Literal, Optional, Union\n',
      aliases.join('\n'),
      ...[...this.#classes.values()].map((text) => `\n${text}`),
    ].join('\n');
  }
}

function isObject({ type, properties }) {
  return type === 'object' && properties !== undefined;
}

function literal(value) {
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}

function pascal(name) {
  return name.replace(/(?:^|[-_])?([A-Za-z])/y, (_, letter) => letter.toUpperCase());
}

/** The name of a field: `ptxLine` is `ptx_line`. A name that Python reserves gets a `_`. */
function snake(name) {
  const text = name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase();
  return /^(?:from|class|in|is|not|global|lambda|pass|with|as|def|import)$/.test(text)
    ? `${text}_`
    : text;
}

function oneLine(text) {
  return text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');
}
