// What is to be known of a text whose `.version` or `.target` is not that of its instructions.
import { TABLE_VERSION } from '../isa/describe.ts';
import {
  architectureNumber,
  FIRST_ARCHITECTURE,
  includesTarget,
  needsOf,
  versionNumber,
} from '../isa/needs.ts';
import type { Instruction, PtxModule } from './module.ts';

/**
 * Remarks on a text, one of each kind at most: it uses what its `.version` or its `.target` does
 * not have, it is newer than the table of instructions, its target is older than what is modeled.
 */
export function remarksOf(module: PtxModule): string[] {
  const { version, target } = module;
  const remarks: string[] = [];
  const unfit = unfitInstruction(module);
  if (unfit !== null) remarks.push(unfit);
  if (versionNumber(version) > versionNumber(TABLE_VERSION))
    remarks.push(
      `.version ${version} is newer than the table of instructions, of PTX ${TABLE_VERSION}`,
    );
  if (architectureNumber(target) < FIRST_ARCHITECTURE)
    remarks.push(
      `.target ${target}: lanes are taken as independent, as from sm_${FIRST_ARCHITECTURE} on; ` +
        'code that relies on lanes in step is wrong there',
    );
  return remarks;
}

/** The first instruction that needs more than the text says; `null` if there is none. */
function unfitInstruction({ version, target, functions }: PtxModule): string | null {
  const seen = new Map<string, ReturnType<typeof needsOf>>();
  for (const { instructions } of functions.values())
    for (const instruction of instructions) {
      const { form, opcode } = instruction;
      const key = `${form.version} ${form.target} ${opcode}`;
      if (seen.has(key)) continue;
      const needs = needsOf(form, opcode.slice(form.name.length + 1).split('.'));
      seen.set(key, needs);
      if (versionNumber(needs.version) > versionNumber(version))
        return sentence(instruction, `PTX ${needs.version}`, `.version ${version}`);
      const isOld = architectureNumber(needs.target) <= FIRST_ARCHITECTURE;
      if (!isOld && !includesTarget(target, needs.target))
        return sentence(instruction, needs.target, `.target ${target}`);
    }
  return null;
}

function sentence({ opcode, line }: Instruction, needed: string, written: string): string {
  return `${opcode} (PTX line ${line}) needs ${needed}, and the text says ${written}`;
}
