import { followed, type ApiDocument, type Operation, type Parameter } from './api-document';

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A call that can be pasted: BASE and KEY are the caller's, everything else is the example's. */
export function curlSample(document: ApiDocument, method: string, path: string, { parameters = [], requestBody }: Operation): string {
  const known = parameters.map((parameter) => followed<Parameter>(document, parameter));
  const placed = (place: string) => known.filter((parameter) => parameter.in === place);
  const address = placed('path').reduce((url, { name, example }) => url.replace(`{${name}}`, String(example)), path);
  const query = placed('query').map(({ name, example }) => `${name}=${String(example)}`);
  const [body] = Object.values(requestBody?.content['application/json']?.examples ?? {});
  const lines = [
    `curl -i ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$BASE${address}${query.length > 0 ? `?${query.join('&')}` : ''}"`,
    '-H "Authorization: Bearer $KEY"',
    ...(body ? [`-H 'Content-Type: application/json'`] : []),
    ...placed('header')
      .filter(({ name }) => name !== 'X-Request-Id')
      .map(({ name, example }) => `-H ${quoted(`${name}: ${String(example)}`)}`),
    ...(body ? [`-d ${quoted(JSON.stringify(body.value, null, 2))}`] : []),
  ];
  return lines.join(' \\\n  ');
}
