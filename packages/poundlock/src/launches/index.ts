// launches: a kernel as built at the launches that its text allows.
export { checkLaunches } from './infer-check.ts';
export { asPossible } from './possible.ts';
export { sizeText } from './shapes.ts';
export { launchParts, writtenLaunch } from './write-launch.ts';
export type { LaunchSubject } from './subject.ts';
