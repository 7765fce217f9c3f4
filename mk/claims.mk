# What is said about GPU pointers: docs/claims holds the claims, tests/claims decides them, tests/python/claims.py runs
# those tests and looks at both. The page is made from them at `make docs`.
claims_SHARED := tests/conformance/behaviour.c tests/conformance/child.c
$(eval $(call folder_test,claims))
tests: $(T)/claims
##   claims              what tests/claims find here, beside what is kept; KEEP=1 keeps it (on a GPU, too) for the page
.PHONY: claims
claims: all $(T)/claims
	@$(PYTHON) tests/claims/record.py --backend $(BACKEND) --build $(B) $(if $(KEEP),--keep) $(T)/claims
