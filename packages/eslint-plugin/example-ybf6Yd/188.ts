import { option, optionTable, requireOptions, type OptionsOf } from '@poundlock/core/dialect';

const GATE = optionTable({ opens: option.oneOf('in', 'out'), name: option.text });
interface GateOptions extends OptionsOf<typeof GATE, 'name'> {}

function gate(options: GateOptions): string {
  requireOptions('gate()', GATE, options);
  return `${options.name} opens ${options.opens ?? 'in'}`;
}
console.log(gate({ name: 'front' })); // front opens in