import { uselessOption } from '@poundlock/core/dialect';

const { message } = uselessOption('gate()', 'cta', "beside 'ctas'");
console.log(message); // the option 'cta' of gate() has no effect beside 'ctas'