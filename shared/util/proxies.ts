const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** The environment's variables that name a proxy for outgoing requests, with what they say; empty ones are left out. */
export const readProxies = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    proxyVariables.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
