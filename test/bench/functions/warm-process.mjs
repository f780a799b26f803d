/** A process that stays: answers as many requests as it is told to, and says what processor time they took. */
import { readFileSync } from 'node:fs';

const [bundle, request] = process.argv.slice(2);
const { event, status } = JSON.parse(readFileSync(request, 'utf8'));
const text = JSON.stringify(event);
const context = { getRemainingTimeInMillis: () => 10_000 };
const { handler } = await import(bundle);

const answerAll = async (events) => {
  let answer;
  for (const one of events) answer = await handler(one, context);
  if (answer.statusCode !== status) throw new Error(`${bundle} answers ${answer.statusCode}`);
  return answer.body;
};

process.on('message', async (count) => {
  // Lambda's runtime reads each event before the handler sees it.
  const events = Array.from({ length: count }, () => JSON.parse(text));
  const began = process.cpuUsage();
  const body = await answerAll(events);
  const { user, system } = process.cpuUsage(began);
  process.send({ microseconds: (user + system) / count, body });
});
process.send('ready');
