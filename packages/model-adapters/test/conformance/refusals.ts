/** What a server refuses a request with. A body that is a text is a page. */
export interface Refusal {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** As OpenAI writes it. */
export const openaiError = (message: string, code: string | number | null = null, type = 'invalid_request_error') => ({
  error: { message, type, param: null, code },
});
export const anthropicError = (type: string, message: string) => ({ type: 'error', error: { type, message } });

/** What servers that speak chat completions refuse a request with, and the code that it is told as. */
export const chatRefusals: readonly (readonly [what: string, refusal: Refusal, code: string])[] = [
  ['a wrong key', { status: 401, body: openaiError('Incorrect API key provided.', 'invalid_api_key') }, 'UNAUTHORIZED'],
  ['a key without the right', { status: 403, body: openaiError('You do not have access.') }, 'UNAUTHORIZED'],
  [
    'an unknown model',
    { status: 404, body: openaiError('The model `x` does not exist', 'model_not_found') },
    'MODEL_NOT_FOUND',
  ],
  [
    'an unknown model with 400',
    { status: 400, body: openaiError('invalid model ID', 'model_not_found') },
    'MODEL_NOT_FOUND',
  ],
  [
    'an unknown model of Ollama',
    { status: 404, body: { error: 'model "x" not found, try pulling it first' } },
    'MODEL_NOT_FOUND',
  ],
  ['an unknown address', { status: 404, body: '404 page not found' }, 'MODEL_NOT_FOUND'],
  [
    'too many requests',
    { status: 429, body: openaiError('Rate limit reached', 'rate_limit_exceeded', 'requests') },
    'RATE_LIMITED',
  ],
  ['too many requests, without a word', { status: 429 }, 'RATE_LIMITED'],
  [
    'no credit',
    { status: 429, body: openaiError('You exceeded your current quota.', 'insufficient_quota') },
    'REQUEST_REFUSED',
  ],
  ['no credit with 402', { status: 402, body: openaiError('Insufficient credits', 402) }, 'REQUEST_REFUSED'],
  [
    'more tokens than a minute has',
    {
      status: 429,
      body: openaiError('Request too large for gpt-4o on tokens per min', 'rate_limit_exceeded', 'tokens'),
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of OpenAI',
    {
      status: 400,
      body: openaiError(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
        'context_length_exceeded',
      ),
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of vLLM',
    {
      status: 400,
      body: {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
        type: 'BadRequestError',
        code: 400,
      },
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of llama.cpp',
    {
      status: 400,
      body: {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 5000,
          n_ctx: 4096,
        },
      },
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of llama.cpp with 500',
    { status: 500, body: { error: { code: 500, message: 'context size exceeded', type: 'server_error' } } },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of TGI',
    {
      status: 422,
      body: {
        error: 'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000',
        error_type: 'validation',
      },
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of Mistral',
    {
      status: 400,
      body: {
        object: 'error',
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of Ollama',
    { status: 400, body: { error: 'input length exceeds maximum context length' } },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of LM Studio',
    {
      status: 400,
      body: {
        error:
          'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt of Gemini',
    {
      status: 400,
      body: [
        {
          error: {
            code: 400,
            message: 'The input token count (2000000) exceeds the maximum number of tokens allowed (1048576).',
            status: 'INVALID_ARGUMENT',
          },
        },
      ],
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a body that is too large',
    { status: 413, body: '<html><body>Request Entity Too Large</body></html>' },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a filter',
    {
      status: 400,
      body: openaiError("The response was filtered due to Azure OpenAI's content management policy.", 'content_filter'),
    },
    'MODEL_REFUSED',
  ],
  ['a field that nobody knows', { status: 400, body: openaiError('Unknown parameter: x') }, 'REQUEST_REFUSED'],
  [
    'a list of problems',
    { status: 422, body: { detail: [{ loc: ['body', 'seed'], msg: 'value is not a valid integer' }] } },
    'REQUEST_REFUSED',
  ],
  [
    'an overload',
    { status: 503, body: openaiError('The engine is currently overloaded', null, 'server_error') },
    'OVERLOADED',
  ],
  [
    'a failure',
    { status: 500, body: '<html><head><style>x{}</style><title>Oops</title></head></html>' },
    'MODEL_ERROR',
  ],
  ['a bad gateway', { status: 502, body: '<html>502 Bad Gateway</html>' }, 'MODEL_ERROR'],
  ['a gateway that waited too long', { status: 504, body: '' }, 'TIMEOUT'],
];

/** The same of Anthropic. */
export const messagesRefusals: readonly (readonly [what: string, refusal: Refusal, code: string])[] = [
  ['a wrong key', { status: 401, body: anthropicError('authentication_error', 'invalid x-api-key') }, 'UNAUTHORIZED'],
  ['an unknown model', { status: 404, body: anthropicError('not_found_error', 'model: x') }, 'MODEL_NOT_FOUND'],
  [
    'too many requests',
    {
      status: 429,
      body: anthropicError(
        'rate_limit_error',
        'This request would exceed your rate limit of 30,000 input tokens per minute.',
      ),
    },
    'RATE_LIMITED',
  ],
  [
    'no credit',
    {
      status: 400,
      body: anthropicError('invalid_request_error', 'Your credit balance is too low to access the Anthropic API.'),
    },
    'REQUEST_REFUSED',
  ],
  [
    'a long prompt',
    {
      status: 400,
      body: anthropicError('invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum'),
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a long prompt with its answer',
    {
      status: 400,
      body: anthropicError(
        'invalid_request_error',
        'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
      ),
    },
    'CONTEXT_TOO_LONG',
  ],
  [
    'a body that is too large',
    { status: 413, body: anthropicError('request_too_large', 'Request exceeds the maximum size') },
    'CONTEXT_TOO_LONG',
  ],
  ['an overload', { status: 529, body: anthropicError('overloaded_error', 'Overloaded') }, 'OVERLOADED'],
  ['a failure', { status: 500, body: anthropicError('api_error', 'Internal server error') }, 'MODEL_ERROR'],
  [
    'a field that nobody knows',
    { status: 400, body: anthropicError('invalid_request_error', 'max_tokens: Field required') },
    'REQUEST_REFUSED',
  ],
];
