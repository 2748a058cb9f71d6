-- Opens a file with a leak, waits for its diagnostic, applies the first code action, waits for none.
-- The command of the server is in POUNDLOCK_LSP, the words separated by spaces.
local WAIT_MS = 40000
vim.cmd('edit leak.ts')
local root = vim.fn.getcwd()
local id = vim.lsp.start_client({
  name = 'poundlock',
  cmd = vim.split(vim.env.POUNDLOCK_LSP, ' '),
  root_dir = root,
  workspace_folders = { { uri = vim.uri_from_fname(root), name = 'root' } },
})
vim.lsp.buf_attach_client(0, id)
local function count(wanted)
  return vim.wait(WAIT_MS, function() return #vim.diagnostic.get(0) == wanted end, 20)
end
print('reported: ' .. tostring(count(1)) .. '\n')
local found = vim.diagnostic.get(0)[1]
print(found.source .. ' ' .. found.lnum .. ':' .. found.col .. ' ' .. vim.split(found.message, '\n')[1] .. '\n')
local client = vim.lsp.get_client_by_id(id)
local params = {
  textDocument = vim.lsp.util.make_text_document_params(0),
  range = { start = { line = found.lnum, character = found.col }, ['end'] = { line = found.lnum, character = found.col } },
  context = { diagnostics = {} },
}
local answer = client.request_sync('textDocument/codeAction', params, WAIT_MS, 0)
print(answer.result[1].title .. '\n')
vim.lsp.util.apply_workspace_edit(answer.result[1].edit, client.offset_encoding)
print('clean: ' .. tostring(count(0)) .. '\n')
vim.cmd('qa!')
