const { API_URL, API_KEY } = process.env;
const deadlineMs = Date.now() + Number(process.env.DEADLINE_SECONDS) * 1000;
const pause = () => new Promise((resolve) => setTimeout(resolve, 1_000));

const call = async (method, path, body) => {
  for (;;) {
    const response = await fetch(API_URL + path, {
      method,
      headers: { authorization: `Bearer ${API_KEY}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    });
    const text = await response.text();
    if (response.ok) return JSON.parse(text);
    // Clients repeat this answer. On busy nodes it occurs right after an installation.
    if (response.status !== 503 || Date.now() > deadlineMs) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    await pause();
  }
};
