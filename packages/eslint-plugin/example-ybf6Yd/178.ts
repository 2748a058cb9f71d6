import { findConfig } from 'poundlock/lint';

console.log(findConfig('/') ?? 'none'); // none