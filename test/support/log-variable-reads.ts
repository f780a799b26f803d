/**
 * Loaded before a function's code, by NODE_OPTIONS: writes one line for each environment variable that the function reads.
 * A function throws for a missing variable, so every variable that it reads is necessary.
 */
const given = process.env;
const seen = new Set<PropertyKey>();

process.env = new Proxy(given, {
  get: (target, variable) => {
    const value = Reflect.get(target, variable) as string | undefined;
    if (value !== undefined && !seen.has(variable)) {
      seen.add(variable);
      const functionName = target['AWS_LAMBDA_FUNCTION_NAME'];
      const line = { event: 'variable-read', functionName, variable };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    return value;
  },
});
