import { applyEdits } from 'poundlock/lint';

const edits = [{ start: 7, end: 7, text: 'await ' }];
const fix = { title: 'add `await`', edits, isSafe: true };
console.log(applyEdits('return close();', [fix]).text); // return await close();