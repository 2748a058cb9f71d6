// Declares this package's modules as no part of the user's code, for source positions.
import { registerOwnFolder } from '@poundlock/core/dialect';

registerOwnFolder(new URL('.', import.meta.url).href);
