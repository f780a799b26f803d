import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { allRoutes } from '../../shared/api/all-routes.ts';
import { allPages } from '../../shared/api/non-api-routes.ts';
import { TestRegistry } from '../support/registry.ts';
import { trustIssuers } from '../support/trusted-issuers.ts';

const run = promisify(execFile);

let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry.close());

const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${registry.url}${path}`, init);

/** What is there under one path. */
const plainPages = allPages.filter(({ path }) => !path.endsWith('+}'));

describe.each(plainPages)('GET $path', ({ path, contentType }) => {
  it('is served as what it is', async () => {
    const { status, headers } = await ask(path);

    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('ignores parameters that it does not know', async () => {
    const { status } = await ask(`${path}?version=2&cache=1`);

    expect(status).toBe(200);
  });

  it('answers HEAD with the same headers, and no body', async () => {
    const [get, head] = await Promise.all([ask(path), ask(path, { method: 'HEAD' })]);

    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name));
    }
  });

  it.each(['{tag}', 'W/{tag}', '"other", {tag}', '*'])(
    'is not sent again to who has it: If-None-Match: %s',
    async (template) => {
      const { headers } = await ask(path);
      const tag = headers.get('etag') ?? '';

      const again = await ask(path, {
        headers: { 'If-None-Match': template.replace('{tag}', tag) },
      });

      expect(again.status).toBe(304);
      expect(again.headers.get('etag')).toBe(tag);
      expect(await again.text()).toBe('');
    },
  );

  it('is sent to who has another one', async () => {
    const { status } = await ask(path, { headers: { 'If-None-Match': '"other"' } });

    expect(status).toBe(200);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('is not there for %s', async (method) => {
    const { status, body } = await registry.send(method, path);

    expect(status).toBe(404);
    expect(body.code).toBe('route_not_found');
  });

  it('is named by the root document', async () => {
    const { body } = await registry.get('/');

    expect(Object.values(body.links)).toContain(`${registry.url}${path}`);
  });

  it('fits in what Lambda answers with, as JSON in which its text is escaped', async () => {
    const text = await (await ask(path)).text();

    expect(Buffer.byteLength(JSON.stringify(text))).toBeLessThan(3 * 1024 * 1024);
  });
});

describe('GET /openapi.json', () => {
  it('describes every endpoint, at the address by which it was asked', async () => {
    const response = await ask('/openapi.json');
    const document = (await response.json()) as {
      servers: unknown;
      paths: Record<string, object>;
    };

    expect(document.servers).toEqual([{ url: registry.url }]);
    for (const { path, method } of allRoutes) {
      expect(document.paths[path]).toHaveProperty(method.toLowerCase());
    }
  });
});

describe('GET /docs', () => {
  it('lets the browser run and fetch nothing but its own', async () => {
    const { headers } = await ask('/docs');

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toMatch(/script-src 'sha256-[^ ]+';/);
    expect(policy).toMatch(/style-src 'sha256-[^ ]+';/);
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });
});

describe('GET /console', () => {
  it('lets the browser run and ask nothing but what is of this registry, and be in no frame', async () => {
    const { headers } = await ask('/console');

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("style-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|http|\*/);
  });

  it('lets the browser send requests to the origins of the sign-in, and to no others', async () => {
    const issuers = trustIssuers('https://id.example.com/tenant', 'https://ci.example.com');
    const own = await TestRegistry.start({ issuers });

    const { headers } = await fetch(`${own.url}/console`);

    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("connect-src 'self' https://id.example.com;");
    expect(policy).not.toContain('ci.example.com');
    await own.close();
  });

  it.each(['/console', '/console/'])('at %s names files that are there', async (path) => {
    const page = await ask(path);
    const names = [...(await page.text()).matchAll(/(?:src|href)="(\.[^"]+)"/g)];

    const files = await Promise.all(names.map(([, name = '']) => fetch(new URL(name, page.url))));

    expect(files.length).toBeGreaterThan(2);
    for (const { status, headers, url } of files) {
      expect(status, url).toBe(200);
      expect(headers.get('content-type')).toMatch(/^text\/(?:javascript|css); charset=utf-8$/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('does not send a file again to who has it', async () => {
    const [, name = ''] = /src="\.\/([^"]+)"/.exec(await (await ask('/console')).text()) ?? [];
    const { headers } = await ask(`/${name}`);

    const again = await ask(`/${name}`, {
      headers: { 'If-None-Match': headers.get('etag') ?? '' },
    });

    expect(again.status).toBe(304);
  });

  it.each(['main.js', '../openapi.json', '%2e%2e/package.json', 'a/b'])(
    'has no file %s',
    async (name) => {
      const { status, body } = await registry.get(`/console/${name.replace('../', '..%2F')}`);

      expect(status).toBe(404);
      expect(body.code).toBe('route_not_found');
    },
  );
});

describe('GET /registry.mjs', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-download-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is the command line, which runs where it was saved', async () => {
    const { url } = registry;
    const env = { ...process.env, REGISTRY_URL: url };
    const script = 'curl -fsSLO "$REGISTRY_URL/registry.mjs" && node registry.mjs status --json';

    const { stdout } = await run('sh', ['-c', script], { cwd: folder, env });

    expect(JSON.parse(stdout)).toMatchObject({ url, version: packageJson.version });
  });
});
