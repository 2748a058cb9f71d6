// A PTX text with one kernel, for tests.

/** A kernel from its declarations, its body and its parameters. */
export function kernelText(declarations: string, body: string, parameters = ''): string {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry kernel(${parameters})
{
${declarations}
${body}
}
`;
}
