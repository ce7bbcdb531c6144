import type { AnalysisErrorCode } from '@tire/kernel';
import type { ErrorText, RequestCode } from './index';

export const REQUESTS: Readonly<Record<RequestCode, ErrorText>> = {
  unauthorized: {
    cause:
      '`Authorization` 헤더가 없거나, `Bearer <키>` 형식이 아니거나, 존재하지 않는 키 또는 폐기된 키입니다. 헤더가 없는지 키가 잘못되었는지는 `message`에 나옵니다.',
    remedy:
      '`Authorization: Bearer` 뒤에 키 전체를 넣어 보내세요. 키는 발급할 때 한 번만 표시됩니다. 잃어버렸다면 콘솔에서 새로 발급하고 이전 키를 폐기하세요.',
  },
  forbidden: {
    cause: '키는 유효하지만 이 작업에 필요한 스코프가 없습니다. 예를 들어 `report:read`만 있는 키로는 보고서를 만들 수 없습니다.',
    remedy:
      'API 레퍼런스에서 해당 작업에 필요한 스코프를 확인하고, 그 스코프가 있는 키를 사용하세요. `report:*`에는 모든 스코프가 포함됩니다.',
  },
  not_found: {
    cause:
      '키가 속한 프로젝트에 해당 보고서, 콘텐츠 리비전, 차량이 없거나 경로가 존재하지 않습니다. 다른 프로젝트나 다른 모드(테스트, 라이브)의 보고서, 폐기한 보고서도 같은 응답을 받습니다.',
    remedy: 'ID가 맞는지, 보고서를 만든 프로젝트의 키인지 확인하세요. 재시도해도 결과는 같습니다.',
  },
  idempotency_conflict: {
    cause:
      '같은 `Idempotency-Key`로 본문이 다른 요청을 보냈거나, 같은 `external_inspection_id`로 템플릿, 콘텐츠 프로필, 차량이 다른 요청을 보냈습니다. `errors`에는 달라진 항목이, `report_id`에는 기존 보고서의 ID가 들어 있습니다.',
    remedy:
      '같은 요청을 다시 보낼 때는 본문도 똑같이 보내세요. 다른 점검이라면 키와 `external_inspection_id`를 새로 정하세요. 기존 보고서를 이어서 쓰려면 `report_id`로 조회하세요.',
  },
  idempotency_in_progress: {
    cause: '같은 키 또는 같은 점검으로 보낸 첫 요청이 아직 처리 중입니다.',
    remedy: '`Retry-After`만큼 기다린 뒤 같은 요청을 다시 보내세요. 첫 요청의 응답을 그대로 받습니다.',
  },
  slot_already_succeeded: {
    cause: '이미 결과가 있거나 사진을 교체하고 있는 슬롯에 새 사진을 등록하려고 했습니다.',
    remedy: '사진을 교체하려면 `?replace=true`를 붙여 등록하세요. 교체할 생각이 아니라면 그 슬롯을 빼고 보내세요.',
  },
  report_discarded: {
    cause: '폐기한 보고서입니다. 변경하거나 되살릴 수 없습니다.',
    remedy: '새 `external_inspection_id`로 보고서를 새로 만드세요.',
  },
  report_purge_pending: {
    cause: '테스트 프로젝트의 보고서가 보관 기간을 넘겨 삭제되는 중입니다.',
    remedy: '보고서를 새로 만드세요. 삭제가 끝난 뒤 재시도하면 `report_discarded` 또는 404를 받습니다.',
  },
  content_unavailable_for_legacy: {
    cause: '콘텐츠 버전 관리가 도입되기 전에 만든 보고서라 콘텐츠가 없습니다.',
    remedy: '측정값은 `GET /reports/{report_id}`로 조회하세요. 콘텐츠가 필요하면 보고서를 새로 만드세요.',
  },
  publish_requirements_unmet: {
    cause: '성공한 슬롯이 `template.requirements`의 조건보다 적어 공유 페이지를 공개할 수 없습니다.',
    remedy: '실패한 슬롯을 재분석하거나 사진을 교체하세요. 조건을 채우면 자동으로 공개됩니다.',
  },
  validation_error: {
    cause:
      '필드, 헤더, 파라미터의 값이 올바르지 않습니다. `param`은 첫 번째 오류의 위치(예: `images[0].slot.image_type`)이고, `errors`에는 모든 오류가 들어 있습니다. `param`이 `asset_id`이면 업로드한 파일이 거절된 것입니다. 파일이 없거나 비었거나, 너무 크거나, JPEG·PNG가 아니거나, `Cache-Control`이 60초를 넘는 재사용을 허용하는 경우입니다.',
    remedy:
      '`message`를 보고 요청을 고치세요. 업로드가 거절되었다면 업로드 주소를 새로 발급받아 다시 올리세요. 같은 `asset_id`는 계속 거절됩니다.',
  },
  rate_limited: {
    cause:
      '키 또는 프로젝트의 요청이 너무 많거나, 동시에 처리 중인 요청이 너무 많거나, 서비스에 부하가 걸렸습니다. `POST /webhooks/replay`에서는 다시 보내기로 한 콜백 1,000건이 아직 전송을 기다린다는 뜻입니다.',
    remedy:
      '`Retry-After`만큼 기다린 뒤, 동시 요청 수를 줄이고 지터를 더한 지수 백오프로 재시도하세요. 본문과 `Idempotency-Key`는 바꾸지 마세요.',
  },
  discard_incomplete: {
    cause: '보고서는 이미 아무도 볼 수 없지만, 일부 데이터가 아직 삭제되지 않았습니다.',
    remedy: '200을 받을 때까지 같은 `DELETE` 요청을 반복하세요.',
  },
  internal_error: {
    cause: '서비스에 오류가 있거나(500), 서비스 일부를 잠시 사용할 수 없습니다(503).',
    remedy:
      '`Retry-After`가 있으면 그만큼 기다린 뒤, 지터를 더한 지수 백오프로 재시도하세요. 계속되면 응답의 `X-Request-Id`를 적어 문의하세요.',
  },
};

export const REFUSALS: Readonly<Record<number, ErrorText>> = {
  400: { cause: '본문이 올바른 JSON이 아니거나 요청 형식이 잘못되었습니다.', remedy: 'UTF-8로 인코딩한 JSON을 보내세요.' },
  405: { cause: '경로는 있지만 이 메서드를 지원하지 않습니다.', remedy: '`Allow` 헤더에 있는 메서드를 사용하세요.' },
  408: {
    cause: '요청 전체가 10초 안에 도착하지 않았습니다.',
    remedy: '연결 상태를 확인하고 다시 보내세요. 사진은 요청 본문에 넣지 않습니다.',
  },
  411: { cause: '본문의 길이를 알 수 없습니다.', remedy: '`Content-Length`를 함께 보내세요.' },
  413: { cause: '본문이 256KiB보다 큽니다.', remedy: '사진은 본문이 아니라 업로드 주소로 보내세요.' },
  414: { cause: '주소가 너무 깁니다.', remedy: '파라미터를 줄이세요.' },
  415: { cause: '본문의 미디어 타입이 다릅니다.', remedy: '`Content-Type: application/json`으로 보내세요.' },
  431: { cause: '헤더가 너무 큽니다.', remedy: '헤더의 수나 길이를 줄이세요.' },
};

export const ANALYSES: Readonly<Record<AnalysisErrorCode, ErrorText>> = {
  analysis_failed: {
    cause: '서비스 내부에서 사진 분석에 실패했습니다.',
    remedy: '`POST /reports/{report_id}/analyze`로 재분석하세요. 다시 실패하면 사진을 교체하세요.',
  },
  image_unreachable: {
    cause: '이미지 주소에 접속할 수 없거나, 오류 또는 이미지가 아닌 응답을 받았습니다.',
    remedy: '로그인하지 않은 상태에서 주소가 열리는지 확인하세요. 열리면 재분석하거나, 사진을 업로드하세요.',
  },
  image_fetch_timeout: {
    cause: '15초 안에 이미지를 받지 못했습니다.',
    remedy: '긴 변을 1920픽셀로 줄이거나 더 빠른 서버에 두고 재분석하세요.',
  },
  image_too_large: { cause: '이미지가 20MB를 넘거나 픽셀 수가 너무 많습니다.', remedy: '긴 변을 1920픽셀로 줄여 교체하세요.' },
  image_url_forbidden: {
    cause: '주소나 리디렉션이 공개 HTTPS가 아닌 곳으로 이어지거나, 리디렉션이 3번을 넘었습니다.',
    remedy: '사용자 이름과 비밀번호가 없는 공개 HTTPS 주소를 쓰거나, 사진을 업로드하세요.',
  },
  image_format_unsupported: {
    cause: '파일 이름과 관계없이 실제 형식이 JPEG나 PNG가 아닙니다.',
    remedy: 'HEIC, WebP 등은 변환해서 교체하세요.',
  },
  image_undecodable: {
    cause: '파일이 손상되었거나 일부만 있습니다.',
    remedy: '카메라가 저장한 원본을 `images?replace=true`로 다시 보내세요.',
  },
  image_too_small: { cause: '측정하기에는 픽셀 수가 부족합니다.', remedy: '긴 변이 1920픽셀인 사진으로 교체하세요.' },
  tread_not_found: {
    cause: '사진에서 측정할 수 있는 트레드를 찾지 못했습니다. 어둡거나, 멀거나, 비스듬하거나, 다른 것을 찍은 사진입니다.',
    remedy:
      '밝은 곳에서 트레드를 정면으로 보고, 양쪽 가장자리가 모두 나오도록 화면에 가득 차게 찍어 교체하세요. 이유를 알 수 있으면 `slots[].analysis`에 재촬영 안내가 있습니다.',
  },
  sidewall_not_found: {
    cause: '사진에서 타이어 옆면을 찾지 못했습니다.',
    remedy: '바퀴 전체가 나오도록 옆에서 선명하게 찍어 교체하세요.',
  },
};

export const CONTENTS: Readonly<Record<string, ErrorText>> = {
  content_source_incomplete: {
    cause: '분석은 끝났지만 콘텐츠에 필요한 슬롯이 실패했습니다. 응답은 200이고 `status`는 `failed`입니다.',
    remedy: '보고서의 실패한 슬롯을 재분석하거나 사진을 교체하세요.',
  },
};
