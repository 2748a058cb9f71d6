import { advance, makeProducerStartState } from 'poundlock/cute';

const { index, phase } = advance(makeProducerStartState({ stages: 2 }), 3);
console.log(index, phase); // 1 0