// What only its name, or an end of it, suggests: see ../cases/README.md.
/** Of what only its name or an end of it suggests, what that end does is unknown. */
export async function pipelined(client: any, isLate: boolean): Promise<unknown> {
  const stream = client.openStream(); // expect: ok
  let rows: Promise<unknown>;
  try {
    rows = stream.query('a');
  } finally {
    stream.close();
  }
  return isLate ? await rows : undefined;
}
export async function insert(client: any): Promise<void> {
  const trx = await client.transaction(); // expect: ok
  try {
    await trx.execute('a');
    await trx.commit();
  } finally {
    trx.close();
  }
}
export async function lost(knex: any, isEmpty: boolean): Promise<void> {
  const trx = await knex.transaction(); // expect: leak
  if (isEmpty) return;
  await trx.commit();
}
