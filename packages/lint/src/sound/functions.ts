// Lowers a function: its parameters, what it captures, and its body.
import type { CoreFunction, Parameter as CoreParameter, Place } from '../calculus/core.ts';
import type { FunctionNode, Parameter, SourceFile } from '../syntax/node.ts';
import { assignTo } from './assign.ts';
import { valueOf } from './expressions.ts';
import { Lower, THIS } from './lower.ts';
import { lowerBody, lowerStatements } from './statements.ts';
import type { Self } from './classes.ts';
import type { SoundProject } from './project.ts';

export interface Mode {
  readonly self: Self | undefined;
  readonly endsObject: boolean;
}

/** The function in the core language. */
export function lowerFunction(project: SoundProject, fn: FunctionNode, mode: Mode): CoreFunction {
  const { self, endsObject } = mode;
  const to = new Lower(project, fn.file, fn, self, valueOf);
  const isMethod = self?.isMethod(fn) ?? false;
  const startsObject = isMethod && fn.form === 'constructor';
  const parameters: CoreParameter[] = [];
  if (isMethod) parameters.push({ place: THIS, holds: 'plain', owned: false });
  parameters.push(...captured(to, fn));
  const steps = to.apart(() => {
    if (startsObject) self?.begin(to, fn);
    for (const parameter of fn.parameters) parameters.push(lowerParameter(to, parameter, fn));
    lowerBody(to, fn);
  });
  const { assigned } = project.captures(fn);
  return {
    parameters,
    body: steps,
    isAsync: fn.isAsync,
    isGenerator: fn.isGenerator,
    isMethod,
    fields: isMethod ? (self?.fields ?? []) : [],
    endsObject: isMethod && endsObject,
    startsObject,
    locals: [...to.locals].filter((place) => !parameters.some((each) => each.place === place)),
    flags: assigned.flatMap((variable) => to.factOf(variable) ?? []),
    at: to.at({ start: fn.nameStart, end: fn.end }),
  };
}

/** What a closure has of the functions around it comes first. */
function captured(to: Lower, fn: FunctionNode): CoreParameter[] {
  const { values } = to.project.captures(fn);
  const { values: places } = to.project.placesOf(fn, to.self);
  return places.map((place): CoreParameter => {
    const name = values.find(({ variable }) => to.placeOf(variable) === place);
    const holds = name === undefined ? 'plain' : holdsOf(to, to.kindOf(name));
    return { place, holds, owned: undefined };
  });
}

function holdsOf(to: Lower, kind: ReturnType<Lower['kindOf']>): CoreParameter['holds'] {
  void to;
  if (kind === 'handle' || kind === 'promise') return 'handle';
  if (kind === 'many') return 'many';
  return kind === 'open' ? 'open' : 'plain';
}

function lowerParameter(to: Lower, parameter: Parameter, fn: FunctionNode): CoreParameter {
  const { target, initializer, rest } = parameter;
  const isName = target.kind === 'name';
  const place: Place = (isName ? to.placeOf(target.variable) : undefined) ?? to.project.newPlace();
  const kind = isName ? to.kindOf(target) : 'plain';
  const isPrimitive = kind === 'primitive';
  if (isName) {
    const name = to.factOf(target.variable);
    if (name !== undefined) to.emit({ k: 'flag', name, value: undefined }, parameter);
  }
  if (initializer !== undefined) {
    const otherwise = to.apart(() => {
      const value = to.value(initializer);
      if (isName) assignTo(to, target, value, undefined);
    });
    to.emit({ k: 'if', test: { k: 'any' }, then: [], otherwise }, parameter);
  }
  if (!isName) assignTo(to, target, place, undefined);
  if (isPrimitive) to.emit({ k: 'clear', xs: [place] }, parameter);
  const holds = rest && kind !== 'primitive' && kind !== 'many' ? 'plain' : holdsOf(to, kind);
  return { place, holds, owned: to.project.ownerOf(fn, parameter) };
}

/** The code of a module, whose variables live as long as the process. */
export function lowerModule(project: SoundProject, file: SourceFile): CoreFunction {
  const to = new Lower(project, file, undefined, undefined, valueOf);
  const body = to.apart(() => lowerStatements(to, file.body.statements));
  return {
    parameters: [],
    body,
    isAsync: false,
    isGenerator: false,
    isMethod: false,
    fields: [],
    endsObject: false,
    startsObject: false,
    locals: [...to.locals],
    flags: [],
    at: to.at({ start: 0, end: 0 }),
  };
}
