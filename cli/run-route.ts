import type { CallOptions } from '../shared/client/client.ts';
import { outgoing, type RouteInput } from '../shared/client/outgoing.ts';
import { readBodySource } from './body-source.ts';
import { callOptionsOf, type Invocation, inputOf } from './invocation.ts';
import { writeResult } from './output/result.ts';
import { asOnePage, pages } from './paging.ts';
import { isPaged, type RouteCommand } from './route-command.ts';
import type { Session } from './session.ts';
import type { Terminal } from './terminal.ts';

type Call = (input: RouteInput, options?: CallOptions) => Promise<unknown>;

/** The request as it would go out. A token is only mentioned. */
const showRequest = (
  { route }: RouteCommand,
  input: RouteInput,
  { session, terminal, options }: { session: Session; terminal: Terminal; options: CallOptions },
): void => {
  const { url, token } = session.settings;
  const { method, headers, ...request } = outgoing(url.value, route, input);
  const shownHeaders = {
    ...headers,
    ...(token && { 'X-API-Key': `(from ${token.source})` }),
    'Idempotency-Key': options.idempotencyKey,
  };
  if (session.format !== 'people') {
    const document = { method, url: request.url, headers: shownHeaders, body: input.body ?? null };
    writeResult(document, terminal, { format: session.format });
    return;
  }
  const lines = Object.entries(shownHeaders).map(([name, value]) => `${name}: ${value}`);
  const body = input.body === undefined ? [] : ['', JSON.stringify(input.body, null, 2)];
  terminal.out.write(`${[`${method} ${request.url}`, ...lines, ...body].join('\n')}\n`);
};

const writeAll = async (
  call: Call,
  input: RouteInput,
  { terminal, session, columns }: { terminal: Terminal; session: Session; columns: Columns },
): Promise<void> => {
  const { format } = session;
  const all = pages(call, input, terminal);
  if (format !== 'jsonl') {
    writeResult(await asOnePage(all), terminal, { format, columns });
    return;
  }
  for await (const { key, rows, total } of all) {
    writeResult({ [key]: rows, total }, terminal, { format });
  }
};

type Columns = readonly string[] | undefined;

/** Carries out one operation as a command asks for it, and writes what comes of it. */
export const runRoute = async (
  described: RouteCommand,
  invocation: Invocation,
  { session, terminal }: { session: Session; terminal: Terminal },
): Promise<void> => {
  const { words, name } = described;
  const { columns } = words;
  const input = inputOf(described, invocation, await readBodySource(words, invocation));
  const options = callOptionsOf(described, invocation);
  if (invocation.flags['dryRun']) {
    showRequest(described, input, { session, terminal, options });
    return;
  }
  const call = session.client[name] as Call;
  if (isPaged(described) && invocation.flags['all']) {
    await writeAll(call, input, { terminal, session, columns });
    return;
  }
  const answer = await call(input, options);
  const presented = words.present?.(answer as object, session.settings) ?? answer;
  writeResult(presented, terminal, { format: session.format, columns });
};
