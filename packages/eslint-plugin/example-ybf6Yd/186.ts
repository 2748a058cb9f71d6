import { InputError } from 'poundlock';
import { currentPosition } from '@poundlock/core/dialect';

const error = new InputError('a group has at least 1 thread', currentPosition());
console.log(error.message); // a group has at least 1 thread