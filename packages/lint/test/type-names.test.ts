// A written type is the platform's only where nothing else has its name.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelCatalogue } from '#src/models/catalogue';
import { chosenModels } from '#src/models/index';
import { Overlays } from '#src/obligations/overlays';
import { TypeContracts } from '#src/obligations/type-contracts';
import { TypeDeclarations } from '#src/project/names';
import type { SourceFile } from '#src/syntax/node';

const CONTRACTS = new TypeContracts({
  names: new TypeDeclarations(),
  tags: {},
  overlays: new Overlays([]),
  catalogue: new ModelCatalogue(chosenModels({})),
  classInfo: () => assert.fail('no class is declared'),
});

function file(aliases: readonly string[], imported?: readonly [name: string, module: string]) {
  const [text, module] = imported ?? [];
  const imports = imported === undefined ? [] : [{ local: { text }, imported: text, module }];
  const typeAliases = new Map(aliases.map((name) => [name, { type: { kind: 'other' }, doc: '' }]));
  return { imports, typeAliases } as unknown as SourceFile;
}

test('a name alone is that of the platform, unless the file declares or imports it', () => {
  assert.equal(CONTRACTS.named('Response', file([]))?.id, 'web.body');
  assert.equal(CONTRACTS.named('Response', file(['Response'])), undefined);
  assert.equal(CONTRACTS.named('Response', file([], ['Response', './server'])), undefined);
});

test('a name in a namespace is that of the module of the namespace', () => {
  const server = file([], ['Server', './server']);
  assert.equal(CONTRACTS.named('Response', server, 'Server'), undefined);
  assert.equal(CONTRACTS.named('Response', file([]), 'protocol'), undefined);
  const database = file([], ['postgres', 'pg']);
  assert.equal(CONTRACTS.named('PoolClient', database, 'postgres')?.id, 'pg.poolClient');
  assert.equal(CONTRACTS.named('Tensor', file([]), 'tf')?.id, 'tf.tensor');
});
