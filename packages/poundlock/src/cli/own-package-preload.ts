// Imported first by the threads of `run`: their kernel files find this package by its name, too.
import { provideOwnPackage } from './own-package.ts';

provideOwnPackage();
