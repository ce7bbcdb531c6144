/** The client closed the connection before the answer, as in nginx. */
export const CLIENT_CLOSED = 499;
