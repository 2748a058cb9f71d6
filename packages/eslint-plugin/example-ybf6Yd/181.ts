import { editsTogether } from 'poundlock/lint';

const edits = [{ start: 0, end: 0, text: 'await ' }];
const fix = { title: 'add `await`', edits, isSafe: true };
console.log(editsTogether([fix]).applied); // 1