// A kernel as built whose roles have other names, wherever its run speaks of them.
import type { Kernel, KernelReference, OtherWay } from '@poundlock/core/internal/program';

/** The name of a warp backwards; which of its lanes a role stands for stays as it is. */
const otherName = (name: string): string =>
  name.replace(/^[^.]+/, (warp) => `role-${[...warp].toReversed().join('')}`);

/** A kernel whose roles have other names. */
export function withOtherRoles(kernel: Kernel): Kernel {
  const { reference } = kernel;
  return {
    ...kernel,
    build: (params) =>
      kernel.build(params).map((role) => ({ ...role, name: otherName(role.name) })),
    ...(reference !== undefined && { reference: (params) => ofReference(reference(params)) }),
  };
}

function withOtherNames<W extends OtherWay>(way: W): W {
  const { kernel, reference } = way;
  return { ...way, kernel: withOtherRoles(kernel), reference: ofReference(reference) };
}

function* each<W extends OtherWay, T>(list: Iterator<W, T>): Generator<W, T> {
  for (let next = list.next(); ; next = list.next()) {
    if (next.done === true) return next.value;
    yield withOtherNames(next.value);
  }
}

function ofReference(reference: KernelReference): KernelReference {
  const { faults, words, ways, orders, ahead } = reference;
  return {
    ...reference,
    faults: faults.map((fault) => {
      const { certain } = fault;
      if (certain === undefined || certain.role === null) return fault;
      return { ...fault, certain: { ...certain, role: otherName(certain.role) } };
    }),
    ...(words !== undefined && {
      words: words.map((word) => ({
        ...word,
        writers: word.writers.map((each) => ({ ...each, role: otherName(each.role) })),
      })),
    }),
    ...(ways !== undefined && {
      ways: { ...ways, others: (query) => each(ways.others(query)) },
    }),
    ...(orders !== undefined && {
      orders: (isOver) => [...orders(isOver)].map((one) => withOtherNames(one)),
    }),
    ...(ahead !== undefined && {
      ahead: () => {
        const kernel = ahead();
        return kernel === null ? null : withOtherRoles(kernel);
      },
    }),
  };
}
