// Documents in which something is other than it was: for tests of what reads them.
import * as fc from 'fast-check';

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json[]>(
    null,
    true,
    '',
    'constructor',
    '__proto__',
    'pointer',
    'tensormap',
    'f16',
  ),
  fc.constantFrom<Json[]>(-4, -1, 0, 0.5, 1, 3, 256, 1025, 2 ** 31, 2 ** 53, 1e300, '0x7f', '-1'),
  fc.constantFrom<Json[]>(
    [],
    {},
    [[]],
    [{}],
    [1, 2, 3, 4],
    'ffffffffffffffff',
    '0xfffffffffffffffff',
  ),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
);

/** All places of a document: containers with a member of theirs. */
function placesOf(value: Json, found: [Json[] | { [name: string]: Json }, string][] = []) {
  if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) {
      found.push([value, name]);
      placesOf(member, found);
    }
  return found;
}

/** Documents in which one or two things are others, missing, renamed, or twice there. */
export function changed<T extends object>(documents: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  const how = fc.constantFrom('set', 'drop', 'twice', 'rename');
  const change = fc.record({ at: fc.nat(), how, to: odd });
  const changes = fc.array(change, { minLength: 1, maxLength: 2 });
  return fc.tuple(documents, changes).map(([from, all]) => {
    const document = structuredClone(from) as unknown as Json;
    for (const { at, how, to } of all) {
      // A copy: another change may be inside of it, and the next document has the same value.
      const one = { at, how, to: structuredClone(to) };
      const places = placesOf(document);
      if (places.length === 0) break;
      const [container, name] = places[one.at % places.length]!;
      if (!Array.isArray(container)) {
        if (one.how === 'rename') container[`${name}s`] = container[name]!;
        if (one.how === 'drop' || one.how === 'rename') delete container[name];
        else container[name] = one.to;
      } else if (one.how === 'set') container[Number(name)] = one.to;
      else
        container.splice(
          Number(name),
          1,
          ...(one.how === 'twice' ? [one.to, structuredClone(to)] : []),
        );
    }
    return document;
  });
}
