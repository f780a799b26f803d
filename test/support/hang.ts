/**
 * The timeout of a wait for an event, in milliseconds. It only ends a test that hangs: any event takes far less, even on a
 * slow and busy machine.
 */
export const hangMs = 120_000;

/** The timeout of a whole test, which waits for several events. */
export const testHangMs = 10 * 60_000;
