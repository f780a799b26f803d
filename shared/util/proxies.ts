const proxyVariables = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];

/** Returns the environment variables for outgoing proxies with their values. Empty ones are omitted. */
export const readProxies = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    proxyVariables.flatMap((name) => {
      const value = process.env[name];
      return value ? [[name, value]] : [];
    }),
  );
