// Excludes this package's modules from reported source positions.
import { registerOwnFolder } from '../../core/src/base/index.ts';

registerOwnFolder(new URL('.', import.meta.url).href);
