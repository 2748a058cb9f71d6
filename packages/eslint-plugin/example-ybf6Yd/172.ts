import process from 'node:process';
import { createRing } from 'poundlock/ring';
import { reportAtExit } from 'poundlock/run';

const ring = createRing({ name: 'frames', stages: 3, bytes: 8 });
const stop = reportAtExit(process, ring);
ring.producer('camera').acquireSync().release(); // a stage still held here would be reported
stop();