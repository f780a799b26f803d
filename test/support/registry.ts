import { request as httpRequest } from 'node:http';
import { type LocalStack, type StackModel, type StackOptions, startStack } from 'local-aws';
import { inject } from 'vitest';
import { problems } from '../../shared/domain/errors.ts';
import { settingVariables } from '../../shared/resources.ts';
import { allRoutes, type Route } from '../../shared/routes.ts';
import { Problem, problemContentType } from '../../shared/schemas/problem.ts';

/** An answer of the registry, checked against what its route promises. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely; the schema has been checked
  readonly body: any;
}

export interface SendOptions {
  readonly token?: string | undefined;
  /** Sent as JSON, unless it is text or bytes already. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StartOptions extends Partial<StackOptions> {
  /** The accepted tokens, comma-separated; absent: none. */
  readonly tokens?: string;
  /** Whether the licenses are loaded, as on deployment. Most tests need none, and start sooner without. */
  readonly licenses?: boolean;
  /** Where OSV.dev is asked about what is submitted; absent: nothing is scanned. */
  readonly osvUrl?: string;
}

/** The stack with the parts that a test wants, and with its OSV.dev in place of the real one. */
const partsFor =
  ({ licenses = false, osvUrl }: StartOptions) =>
  (model: StackModel): StackModel => ({
    ...model,
    customResources: licenses ? model.customResources : {},
    eventSources: osvUrl === undefined ? {} : model.eventSources,
    queueSources: osvUrl === undefined ? {} : model.queueSources,
    queues: hidingBriefly(model.queues),
    functions: osvUrl === undefined ? model.functions : askingOsvAt(model.functions, osvUrl),
  });

/** What failed comes again after two seconds, and not after minutes. */
const hidingBriefly = (queues: StackModel['queues']): StackModel['queues'] =>
  Object.fromEntries(
    Object.entries(queues).map(([id, queue]) => [id, { ...queue, visibilityTimeoutSeconds: 2 }]),
  );

const askingOsvAt = (functions: StackModel['functions'], osvUrl: string) =>
  Object.fromEntries(
    Object.entries(functions).map(([id, one]) => {
      const { environment } = one;
      const variable = settingVariables.osvUrl;
      const changed = variable in environment ? { [variable]: osvUrl } : {};
      return [id, { ...one, environment: { ...environment, ...changed } }];
    }),
  );

/** One line of the functions' logs. */
export type LogLine = Readonly<Record<string, unknown>>;

/** Our own lines are JSON; what the runtime says of a function that cannot start is not. */
const parsedLine = (line: string): LogLine => {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { event: 'text', text: line };
  }
};

const matches = (route: Route, method: string, path: string): boolean => {
  const pattern = route.path.replace(/\{[^}]+\}/g, '[^/]+');
  return route.method === method && new RegExp(`^${pattern}/?$`).test(path);
};

/** Codes that an endpoint may answer with whatever its route: about the request as such, the token, or ourselves. */
const general = [
  'validation_failed',
  'malformed_body',
  'body_too_large',
  'missing_token',
  'invalid_token',
  'idempotency_key_reused',
  'internal_error',
  'tokens_unavailable',
  'storage_unavailable',
];

/** Codes of answers that the gateway gives by itself, whatever the path. */
const gatewayCodes = [
  'bad_request',
  'forbidden',
  'request_too_large',
  'route_not_found',
  'throttled',
  'timeout',
  'unauthorized',
];

const checkProblem = (route: Route | undefined, { status, headers, body }: Answer): void => {
  if (headers.get('content-type') !== problemContentType) throw new Error('No problem document');
  const problem = Problem.parse(body);
  if (problem.status !== status) throw new Error(`Status ${status} is told as ${problem.status}`);
  if (status === 400 && !problem.errors?.length) throw new Error('A 400 without errors');
  if (!(problem.code in problems)) throw new Error(`${problem.code} is no code of ours`);
  if (gatewayCodes.includes(problem.code)) return;
  if (!route) throw new Error(`${problem.code} without a route`);
  const allowed: readonly string[] = [...general, ...route.errors];
  if (!allowed.includes(problem.code)) throw new Error(`${route.id} may not say ${problem.code}`);
};

/** Every answer in every test is held against the route table. */
const checkAnswer = (method: string, path: string, answer: Answer): void => {
  const route = allRoutes.find((candidate) => matches(candidate, method, path));
  if (answer.status >= 400) {
    checkProblem(route, answer);
    return;
  }
  if (answer.status !== route?.success.status) throw new Error(`Unexpected ${answer.status}`);
  if (answer.headers.get('content-type') !== 'application/json') throw new Error('No JSON');
  route.success.schema.parse(answer.body);
};

const encodeBody = (body: unknown): string | Uint8Array<ArrayBuffer> => {
  if (typeof body === 'string') return body;
  return body instanceof Uint8Array ? Uint8Array.from(body) : JSON.stringify(body);
};

/** A DynamoDB Local to use in place of the embedded engine. */
const { DYNAMODB_ENDPOINT: dynamodbEndpoint } = process.env;

/** A registry of its own on this machine: the synthesised template, with an empty database in memory. */
export class TestRegistry {
  readonly stack: LocalStack;
  readonly url: string;
  readonly logs: LogLine[];

  private constructor(stack: LocalStack, logs: LogLine[]) {
    this.stack = stack;
    this.url = stack.url;
    this.logs = logs;
  }

  static async start(options: StartOptions = {}): Promise<TestRegistry> {
    const logs: LogLine[] = [];
    const { tokens, transform = (model) => model } = options;
    const stack = await startStack({
      assembly: inject('assembly'),
      port: 0,
      data: ':memory:',
      initialSecretValue: ',',
      ...(tokens !== undefined && { secretValue: tokens }),
      // Each test then has a database of its own there.
      ...(dynamodbEndpoint && { dynamodbEndpoint }),
      onLog: (_source, line) => {
        logs.push(parsedLine(line));
      },
      ...options,
      transform: (model) => transform(partsFor(options)(model)),
    });
    return new TestRegistry(stack, logs);
  }

  close(): Promise<void> {
    return this.stack.close();
  }

  async send(method: string, path: string, options: SendOptions = {}): Promise<Answer> {
    const { token, body, headers } = options;
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { 'X-API-Key': token }),
        ...headers,
      },
      ...(body !== undefined && { body: encodeBody(body) }),
    });
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    checkAnswer(method, new URL(response.url).pathname, answer);
    return answer;
  }

  get(path: string, options?: SendOptions): Promise<Answer> {
    return this.send('GET', path, options);
  }

  post(path: string, body?: unknown, options: SendOptions = {}): Promise<Answer> {
    return this.send('POST', path, { ...options, ...(body !== undefined && { body }) });
  }

  /** Submits and expects success. */
  async submit(
    submission: Readonly<Record<string, unknown>>,
    options?: SendOptions,
  ): Promise<Answer> {
    const answer = await this.post('/api/v1/packages', submission, options);
    if (answer.status !== 201) throw new Error(`Not submitted: ${JSON.stringify(answer.body)}`);
    return answer;
  }

  /** A request with header lines exactly as given, which fetch would not send. Resolves to the status. */
  sendRaw(method: string, path: string, headerLines: readonly string[]): Promise<number> {
    const { hostname, port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      const sent = httpRequest(
        { hostname, port, method, path, headers: ['Host', `${hostname}:${port}`, ...headerLines] },
        (response) => {
          response.resume();
          response.on('end', () => resolve(response.statusCode ?? 0));
        },
      );
      sent.on('error', reject);
      sent.end();
    });
  }
}

/** The path of a name's endpoint, encoded as a client must. */
export const packagePath = (name: string, suffix = ''): string =>
  `/api/v1/packages/${encodeURIComponent(name)}${suffix}`;
