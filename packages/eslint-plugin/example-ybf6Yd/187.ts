import { option, optionTable } from '@poundlock/core/dialect';

const GATE = optionTable({ isOpen: option.flag, widths: option.list(option.amount) });
console.log(GATE.values.isOpen.must); // true or false