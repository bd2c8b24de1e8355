import fastify from 'fastify';

/** The answers that the service gave, given again by Fastify alone: what HTTP and JSON cost on this machine. */
export interface RawAnswers {
  readonly transfer: object;
  readonly wallet: object;
}

const [port, answers] = process.argv.slice(2) as [string, string];
const { transfer, wallet } = JSON.parse(answers) as RawAnswers;
const app = fastify();
app.post<{ Body: { amount: number } }>('/v4/wallets/transfer', (request, reply) => {
  void reply.code(201).send({ ...transfer, amount: request.body.amount });
});
app.get('/v4/wallets/:id', (_, reply) => {
  void reply.send(wallet);
});
app.get('/readyz', (_, reply) => {
  void reply.send({});
});
void app.listen({ port: Number(port), host: '127.0.0.1' });
