import { parseArgs } from 'node:util';
import type * as z from 'zod';
import { problemContentType } from '../shared/api/problem-type.ts';
import { Caller } from '../shared/api/schemas/caller.ts';
import { PackagePage } from '../shared/api/schemas/package.ts';
import { Problem } from '../shared/api/schemas/problem.ts';
import { ServiceInfo } from '../shared/api/schemas/service.ts';

/** `npm run smoke -- URL`: checks a deployment over HTTP, without writing anything. */

const usage = `Usage: npm run smoke -- URL

Checks the registry at URL (the stack's output ApiUrl) over HTTP. It reads, and sends requests
that the registry must reject. It writes nothing. With a token in REGISTRY_TOKEN, it also
checks that the registry accepts the token, and for its scopes only. A registry without
tokens fails the checks of tokens, because everyone may write to it.`;

interface Check {
  readonly what: string;
  readonly run: (url: string) => Promise<void>;
}

const timeoutMs = 35_000;

const request = (url: string, path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(timeoutMs) });

/** Returns the JSON of a response. @throws {Error} if another server answered, with another content type */
const readJson = async (response: Response): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? 'no content type';
  if (!type.includes('json')) throw new Error(`answered ${response.status} with ${type}`);
  return response.json();
};

/** Returns the body as the schema reads it. @throws {Error} with the code of an error response, without the schema's details */
const readAs = async <S extends z.ZodType>(schema: S, response: Response): Promise<z.output<S>> => {
  const body = await readJson(response);
  const { success, data } = schema.safeParse(body);
  if (success) return data;
  const { data: problem } = Problem.safeParse(body);
  if (problem && problem.code !== 'route_not_found') {
    throw new Error(`answered ${response.status} ${problem.code}: ${problem.detail}`);
  }
  throw new Error(
    `answered ${response.status} with JSON that is not from a registry: check the URL`,
  );
};

const expectProblem = async (response: Response, status: number, code: string): Promise<void> => {
  const type = response.headers.get('content-type');
  if (type !== problemContentType) throw new Error(`answered ${response.status} as ${type}`);
  const problem = await readAs(Problem, response);
  if (response.status !== status || problem.code !== code || problem.status !== status) {
    throw new Error(`answered ${response.status} ${problem.code}, not ${status} ${code}`);
  }
};

const post = (url: string, path: string, token?: string): Promise<Response> =>
  request(url, path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { 'X-API-Key': token }) },
    body: '{}',
  });

/** A decision about a package that does not exist: callers with the scope `review` get 404. */
const noPackage = '/api/v1/packages/smoke-test-of-no-package/approve';

const checks = (token: string | undefined): readonly Check[] => [
  {
    what: 'the service root answers, and authentication is on',
    run: async (url) => {
      const { authentication } = await readAs(ServiceInfo, await request(url, '/'));
      if (authentication !== 'enabled')
        throw new Error('authentication is off: everyone may write');
    },
  },
  {
    what: 'packages can be listed',
    run: async (url) => {
      await readAs(PackagePage, await request(url, '/api/v1/packages?limit=1'));
    },
  },
  {
    what: 'links have the same address',
    run: async (url) => {
      const link = (await request(url, '/api/v1/packages?limit=1&offset=1')).headers.get('link');
      if (!link?.startsWith(`<${url}/api/v1/packages?`)) throw new Error(`the link is ${link}`);
    },
  },
  {
    what: 'an invalid parameter is 400',
    run: async (url) =>
      expectProblem(await request(url, '/api/v1/packages?limit=x'), 400, 'validation_failed'),
  },
  {
    what: 'a name may have an encoded slash',
    run: async (url) =>
      expectProblem(
        await request(url, '/api/v1/packages/@smoke%2Fno-such-package'),
        404,
        'package_not_found',
      ),
  },
  {
    what: 'the gate accepts an encoded slash, and serves approved versions only',
    run: async (url) =>
      expectProblem(await request(url, '/npm/@smoke%2fno-such-package'), 403, 'not_approved'),
  },
  {
    what: 'an unknown license is 404',
    run: async (url) =>
      expectProblem(
        await request(url, '/api/v1/licenses/No-Such-License'),
        404,
        'license_not_found',
      ),
  },
  {
    what: 'a scan of an unknown package is 404',
    run: async (url) =>
      expectProblem(
        await request(url, '/api/v1/security/scans/no-such-package-as-this'),
        404,
        'package_not_found',
      ),
  },
  {
    what: 'an unknown path is 404, as a problem document',
    run: async (url) => expectProblem(await request(url, '/nowhere'), 404, 'route_not_found'),
  },
  {
    what: 'a write without a token is 401',
    run: async (url) => expectProblem(await post(url, noPackage), 401, 'missing_token'),
  },
  {
    what: 'a write with an invalid token is 403',
    run: async (url) => expectProblem(await post(url, noPackage, 'wrong'), 403, 'invalid_token'),
  },
  ...(token
    ? [
        {
          what: 'the token in REGISTRY_TOKEN is accepted, for its scopes only',
          run: async (url: string) => {
            const headers = { 'X-API-Key': token };
            const answer = await request(url, '/api/v1/whoami', { headers });
            if (!answer.ok) throw new Error(`answered ${answer.status}`);
            const { scopes } = await readAs(Caller, answer);
            const decision = await post(url, noPackage, token);
            if (scopes.includes('review')) await expectProblem(decision, 404, 'package_not_found');
            else await expectProblem(decision, 403, 'scope_missing');
          },
        },
      ]
    : []),
];

/** Runs every check and prints each result. Resolves to the number of failures. */
const smoke = async (url: string): Promise<number> => {
  let failed = 0;
  for (const { what, run } of checks(process.env['REGISTRY_TOKEN'])) {
    try {
      await run(url);
      console.log(`ok      ${what}`);
    } catch (error) {
      failed += 1;
      const reason = error instanceof Error ? (error.cause ?? error) : error;
      console.log(`FAILED  ${what}: ${reason instanceof Error ? reason.message : reason}`);
    }
  }
  return failed;
};

const parse = () => {
  try {
    const options = { help: { type: 'boolean' } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch {
    return undefined;
  }
};

const parsed = parse();
const [address = '', ...others] = parsed?.positionals ?? [];
const isAddress = /^https?:\/\//.test(address) && URL.canParse(address) && others.length === 0;
if (parsed?.values.help || !isAddress) {
  console.log(usage);
  process.exit(parsed?.values.help ? 0 : 2);
}
if (process.env['REGISTRY_TOKEN'] === '') {
  console.log(
    'REGISTRY_TOKEN is empty: set a token, or remove the variable to leave out its check.',
  );
  process.exit(2);
}
const failures = await smoke(address.replace(/\/+$/, ''));
const failed = failures === 1 ? '1 check failed.' : `${failures} checks failed.`;
console.log(failures === 0 ? 'All checks passed.' : failed);
process.exitCode = failures === 0 ? 0 : 1;
