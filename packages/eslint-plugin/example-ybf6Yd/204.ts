import { Farm } from '@poundlock/farm';

const url = process.env['FARM_URL'];
if (url !== undefined) {
  const farm = Farm.open({ url, version: '0.1.0' });
  console.log((await farm.status()).waiting);
  await farm.close();
}