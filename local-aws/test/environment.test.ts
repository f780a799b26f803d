import { describe, expect, it } from 'vitest';
import { readWayOut } from '../src/lambda/environment.ts';

describe('what a function is told of the way to the internet', () => {
  it('is nothing where the machine names nothing', () => {
    expect(readWayOut({ PATH: '/bin', HTTPS_PROXY: '' })).toEqual({});
  });

  it('is the certificates that the machine trusts', () => {
    const environment = { NODE_EXTRA_CA_CERTS: '/etc/ca.pem', AWS_SECRET_ACCESS_KEY: 'x' };

    expect(readWayOut(environment)).toEqual({ NODE_EXTRA_CA_CERTS: '/etc/ca.pem' });
  });

  it('is its proxies, which are never asked for what is here', () => {
    const environment = { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '.example.com' };

    expect(readWayOut(environment)).toEqual({
      HTTPS_PROXY: 'http://proxy:3128',
      NODE_USE_ENV_PROXY: '1',
      NO_PROXY: '.example.com,localhost,127.0.0.1,::1',
    });
  });
});
