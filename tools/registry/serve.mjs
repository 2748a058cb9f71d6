// Serves a registry of npm on 127.0.0.1, at a port that the system chooses and the parent is sent:
// fork('serve.mjs', [CONFIG]). It ends with its parent.
import process from 'node:process';
import { runServer } from 'verdaccio';

const server = await runServer(process.argv[2]);
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
