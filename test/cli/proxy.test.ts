import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { CommandLine } from '../support/command-line.ts';
import { startProxy, type TestProxy } from '../support/proxy.ts';
import { json, type ScriptedServer, startScripted } from '../support/scripted-server.ts';

const service = { name: 'package-registry', version: '1', authentication: 'disabled' };

let commandLine: CommandLine;
let server: ScriptedServer;
let proxy: TestProxy;
beforeAll(() => {
  commandLine = CommandLine.install();
});
afterAll(() => commandLine.remove());
beforeEach(async () => {
  server = await startScripted(json(200, service));
  proxy = await startProxy(server.url);
});
afterEach(() => Promise.all([proxy.close(), server.close()]));

it.each(['HTTP_PROXY', 'http_proxy'])('goes through the proxy that %s names', async (name) => {
  const env = { [name]: proxy.url, REGISTRY_URL: 'http://registry.test' };

  const { code, stdout } = await commandLine.runAlone(['status'], { env });

  expect(code).toBe(0);
  expect(stdout).toContain('package-registry');
  expect(proxy.asked[0]).toMatch(/^registry\.test(:80)?$/);
});

it.each(['HTTPS_PROXY', 'https_proxy'])('asks the proxy of %s for a tunnel', async (name) => {
  const env = { [name]: proxy.url, REGISTRY_URL: 'https://registry.test' };

  const { code, stderr } = await commandLine.runAlone(['status'], { env });

  expect(code).toBe(3);
  expect(stderr).toContain('registry.test cannot be reached');
  expect(stderr).toContain(`A proxy is set by ${name}.`);
  expect(proxy.asked[0]).toBe('registry.test:443');
});

it.each(['NO_PROXY', 'no_proxy'])('goes around the proxy where %s says so', async (name) => {
  const env = { HTTP_PROXY: proxy.url, [name]: '127.0.0.1', REGISTRY_URL: server.url };

  const { code } = await commandLine.runAlone(['status'], { env });

  expect(code).toBe(0);
  expect(proxy.asked).toEqual([]);
});
