# What is said about GPU pointers: the answers of tests/claims are kept, and docs/claims shows them.
##   claims              what tests/claims find here, beside what is kept; KEEP=1 keeps it (on a GPU, too) for the page
.PHONY: claims
claims: all $(T)/claims
	@$(PYTHON) tests/claims/record.py --backend $(BACKEND) --build $(B) $(if $(KEEP),--keep) $(T)/claims
