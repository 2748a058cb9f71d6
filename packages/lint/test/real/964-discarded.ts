// What a pool takes back, or throws away: see ../cases/README.md.
declare class Pool { acquire(): Promise<any>; release(given: any): void; dispose(given: any): void; }
export class Connection {
  constructor(private readonly pool: Pool) {}
  async scope<T>(work: (client: any) => Promise<T>): Promise<T> {
    const acquired = await this.pool.acquire(); // expect: ok
    try {
      const result = await work(acquired.client);
      this.pool.release(acquired);
      return result;
    } catch (error) {
      this.pool.dispose(acquired);
      throw error;
    }
  }
  async once<T>(work: (client: any) => Promise<T>): Promise<T> {
    const acquired = await this.pool.acquire(); // expect: leak
    const result = await work(acquired.client);
    this.pool.release(acquired);
    return result;
  }
}
