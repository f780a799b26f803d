/**
 * The milliseconds after which a test that waits for an event counts as hanging. No test may need it: it is far longer than
 * any event takes on the slowest machine, so that no test fails because the machine does other work.
 */
export const hangMs = 120_000;

/** The same for a whole test, which waits for several events. */
export const testHangMs = 10 * 60_000;
