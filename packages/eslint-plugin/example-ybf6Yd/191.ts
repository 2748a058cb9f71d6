import { requireWord } from '@poundlock/core/dialect';

requireWord('the side of gate()', 'in', ['in', 'out']);