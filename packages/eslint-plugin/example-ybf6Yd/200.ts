import { requireCount } from '@poundlock/core/dialect';

requireCount('the stages of ab', 2, 1);