-- Uses the example fleet in Neovim as a person would, and writes what it showed as JSON. The configuration of the how-to page
-- has been read before. Arguments are in the environment: FLEET is the file, SHOWN is where the result goes.
local fleet, shown = vim.env.FLEET, {}

local function wait(what, done)
  if not vim.wait(60000, done, 50) then
    shown.timeout = what
    vim.fn.writefile({ vim.json.encode(shown) }, vim.env.SHOWN)
    vim.cmd("cquit 3")
  end
end

local function ask(method, params)
  local answers = vim.lsp.buf_request_sync(0, method, params, 60000)
  for _, answer in pairs(answers or {}) do
    return answer.result
  end
end

local function place_at(text)
  vim.fn.cursor(1, 1)
  vim.fn.search("\\V" .. text)
end

local function messages()
  local found = {}
  for _, each in ipairs(vim.diagnostic.get(0)) do
    table.insert(found, each.code .. " " .. each.message)
  end
  return found
end

local function changed(old, new)
  place_at(old)
  vim.api.nvim_set_current_line((vim.api.nvim_get_current_line():gsub(vim.pesc(old), new)))
end

vim.cmd.edit(fleet)
vim.bo.filetype = "yaml"
wait("client", function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
wait("initialisation", function() return client.initialized end)
shown.server = client.server_info.name

-- A finding, and the fix of it that the editor applies.
changed("driver: managed", "drivr: managed")
wait("finding", function() return #vim.diagnostic.get(0) > 0 end)
shown.findings = messages()
place_at("drivr")
vim.lsp.buf.code_action({ apply = true, filter = function(action) return action.isPreferred end })
wait("fix", function() return vim.fn.search("drivr", "nw") == 0 end)
wait("no finding", function() return #vim.diagnostic.get(0) == 0 end)
place_at("driver: managed")
shown.fixed = vim.api.nvim_get_current_line()

-- Completion of a size.
place_at("sku: Standard_NC4as_T4_v3")
vim.fn.search("Standard")
local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
for _, item in ipairs(ask("textDocument/completion", params).items) do
  if item.label == "Standard_NC4as_T4_v3" then
    shown.size = item.detail
  end
end

-- Hover on a pool that a workload names.
place_at("pools: [t4-lab]")
vim.fn.search("t4-lab")
shown.hover = ask("textDocument/hover", vim.lsp.util.make_position_params(0, client.offset_encoding)).contents.value

-- Rename it everywhere.
vim.lsp.buf.rename("laboratory")
wait("rename", function() return vim.fn.search("name: laboratory", "nw") > 0 end)
place_at("pools: [lab")
shown.renamed = vim.api.nvim_get_current_line()

vim.fn.writefile({ vim.json.encode(shown) }, vim.env.SHOWN)
vim.cmd("qall!")
