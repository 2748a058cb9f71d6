import { makeConsumerStartState } from 'poundlock/cute';

console.log(makeConsumerStartState({ stages: 2 })); // {"stages":2,"index":0,"phase":0,"count":0}