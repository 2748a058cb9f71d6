// Imported first by the threads of `run`, so that their kernel files resolve this package.
import { provideOwnPackage } from './own-package.ts';

provideOwnPackage();
