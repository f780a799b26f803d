import { startStack, synthesise } from '@package-registry/local-aws';

const project = import.meta.dirname;
const data = '.local';
const assembly = `${data}/assembly`;

await synthesise({ project, assembly, environment: process.env });
const stack = await startStack({ assembly, data, port: Number(process.argv[2] ?? 3000) });
console.log(`listening on ${stack.url}`);
process.once('SIGINT', () => stack.close());
