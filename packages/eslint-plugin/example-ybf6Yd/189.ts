import { registerOwnFolder } from '@poundlock/core/dialect';

registerOwnFolder(new URL('./my-dialect/', import.meta.url).href);