import { createHash } from 'node:crypto';
import { authorizationOf, signedPut } from './s3-signature';

const EXAMPLE = {
  region: 'us-east-1',
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
};

it('is the one of the example that AWS publishes for PutObject', () => {
  const headers = {
    date: 'Fri, 24 May 2013 00:00:00 GMT',
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    'x-amz-date': '20130524T000000Z',
    'x-amz-storage-class': 'REDUCED_REDUNDANCY',
  };
  expect(authorizationOf('/test%24file.text', headers, EXAMPLE)).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,' +
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
});

it('a file has the SHA-256 of its content, and its key is one of the address', () => {
  const sha256 = createHash('sha256').update('content').digest();
  const bucket = { ...EXAMPLE, endpoint: 'https://s3.example:8443', bucket: 'reports' };
  const { url, headers } = signedPut(
    bucket,
    { key: 'a=1/b (2).csv', contentType: 'text/csv', sha256 },
    new Date('2026-11-27T03:00:00.123Z'),
  );
  expect(url).toBe('https://s3.example:8443/reports/a%3D1/b%20%282%29.csv');
  expect(headers).toMatchObject({
    host: 's3.example:8443',
    'content-type': 'text/csv',
    'x-amz-date': '20261127T030000Z',
    'x-amz-checksum-sha256': sha256.toString('base64'),
    'x-amz-content-sha256': sha256.toString('hex'),
    'x-amz-meta-sha256': sha256.toString('hex'),
  });
  expect(JSON.stringify({ url, headers })).not.toContain(EXAMPLE.secretAccessKey);
});
