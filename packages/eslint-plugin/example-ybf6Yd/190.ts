import { option, optionTable, requireOptions } from '@poundlock/core/dialect';

const GATE = optionTable({ width: option.amount });
try {
  requireOptions('gate()', GATE, { widht: 2 });
} catch (error) {
  const { message } = error as Error;
  console.log(message.slice(0, 28)); // gate() has no option 'widht'
}